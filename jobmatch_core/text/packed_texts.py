"""Many strings in one block of bytes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa  # which takes longer than listing taxonomies

_CHUNK = 4096  # strings made at once while all are read


class PackedTexts(Sequence[str]):
    """Strings in an Arrow array, each made when it is read.

    Forked processes share its memory pages. They would soon copy the pages of Python strings, because reading a string
    changes its reference count.
    """

    def __init__(self, array: "pa.StringArray") -> None:
        """Wrap an Arrow array without nulls."""
        self._array = array

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Pack strings."""
        import pyarrow as pa

        return cls(pa.array(texts, pa.string()))

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        text: str = self._array[int(place)].as_py()
        return text

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self._array.slice(start, _CHUNK).to_pylist()

    def take(self, places: NDArray[np.integer[Any]]) -> list[str]:
        """Return the strings at *places*, in that order."""
        import pyarrow as pa

        texts: list[str] = self._array.take(pa.array(places)).to_pylist()
        return texts

    def containing(self, part: str) -> NDArray[np.intp]:
        """Return the places of the strings that contain *part*, ascending."""
        import pyarrow as pa
        import pyarrow.compute as pc

        matches: pa.Array = pc.match_substring(self._array, part)
        return np.flatnonzero(matches.to_numpy(zero_copy_only=False))

    def compared(
        self, places: NDArray[np.integer[Any]], part: str
    ) -> tuple[NDArray[np.bool_], NDArray[np.integer[Any]]]:
        """Return whether each string at *places* begins with *part*, and its length in characters."""
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = self._array.take(pa.array(places))
        begins, lengths = pc.starts_with(texts, part), pc.utf8_length(texts)
        return begins.to_numpy(zero_copy_only=False), lengths.to_numpy()

    def save(self, path: Path) -> None:
        """Write an Arrow file."""
        import pyarrow as pa

        batch = pa.record_batch([self._array], names=["text"])
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Memory-map a file of `save`; raises OSError or ValueError for an unreadable or another file."""
        import pyarrow as pa

        try:
            with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
                array = reader.get_batch(0).column("text")
            array.validate(full=True)  # Arrow would read beyond the end of a damaged array
        except (pa.ArrowException, KeyError) as error:
            raise ValueError(f"{path.name} is damaged ({error})") from error
        if array.type != pa.string() or array.null_count:
            raise ValueError(f"{path.name} holds other values than strings")
        return cls(array)
