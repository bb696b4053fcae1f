"""Speed of search: what is measured is a search that finds."""

from jobmatch_core.benchmarks.speed.search_speed import measure_search_speed


def test_figures() -> None:
    """All are there, in order, of as many freelancers as asked for."""
    reported: list[tuple[int, int]] = []
    speed = measure_search_speed(1100, progress=lambda done, total: reported.append((done, total)))
    assert speed.freelancers == 1100
    assert 0 < speed.search_p50_ms <= speed.search_p95_ms
    assert 0 < speed.filtered_p50_ms <= speed.filtered_p95_ms
    assert min(speed.build_s, speed.open_s, speed.disk_mb) > 0
    assert reported[-1] == (1024, 1100)
