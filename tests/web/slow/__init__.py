"""An app for tests of the real server: a job that lasts until a test ends it, and a page that fails."""
