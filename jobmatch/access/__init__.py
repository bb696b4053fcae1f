"""Access control: roles, the table of permissions, keys of programs, and sign-in by OpenID Connect.

roles           viewer < annotator < reviewer < admin
principal       the sender of a request
denials         why a request is denied, and what to do
permissions     the role that each page, action and route needs, those of Streamlit included
ownership       the stores below the home, and who may do what with an item in each
access_config   the part of the server's configuration, and the roles that it gives
api_keys        keys of programs
bearer_tokens   tokens of the provider, checked against its published keys
sessions        the provider's claims about a person at sign-in, and their expiry
access          recognises the sender of a request by all of these
current_access  the access in force in this process

`jobmatch.serve.access_middleware` checks each request of the server by it.
"""
