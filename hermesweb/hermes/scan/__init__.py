"""The one scanner: looks for phrases in every file of a folder and says what it could not look into.

`hermesweb.hermes.scan.scan` starts it; `bytes_process` and `sql_process` do the work in processes of their own.
"""
