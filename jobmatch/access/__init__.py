"""Access control: roles, the table of permissions, keys of programs, and sign-in by OpenID Connect.

permissions    the role that each page, action and route needs, those of Streamlit included
ownership      the stores below the home, and who may do what with an item in each
access_config  the part of the server's configuration, and the roles that it gives
principal      the sender of a request, roles (viewer < annotator < reviewer < admin), and denials
api_keys       keys of programs, in a header or in the address of a service
bearer_tokens  tokens of the provider, checked against its published keys
sessions       the provider's claims about a person at sign-in, and their expiry
access         all of it behind one class, and the server's instance
"""
