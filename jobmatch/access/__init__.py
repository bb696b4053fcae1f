"""Access control: roles, the table of permissions, keys of programs, and sign-in by OpenID Connect.

principal       the sender of a request; roles: viewer < annotator < reviewer < admin
denials         reasons for denying a request
permissions     the role that each page, action and route needs
ownership       the stores of a home, and the role that each act on an item needs
access_config   access in the server's configuration
api_keys        keys of programs
bearer_tokens   tokens of the provider
sessions        sign-in sessions
access          recognises the sender of a request by all of these
current_access  the access in force in this process
"""
