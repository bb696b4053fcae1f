"""Access control: roles, the table of permissions, keys of programs, and sign-in by OpenID Connect.

roles          viewer < annotator < reviewer < admin
permissions    the role that each page, action and route needs
access_config  the part of the server's configuration, and the roles that it gives
principal      who asks
api_keys       keys of programs
key_address    keys in the address of a service
bearer_tokens  tokens of the provider, checked against its published keys
sessions       what the provider says of somebody who signed in, and until when it counts
session_cookie the same, as the browser sends it
access         all of it behind one class; `in_force` is the server's own
middleware     the check of each request
"""
