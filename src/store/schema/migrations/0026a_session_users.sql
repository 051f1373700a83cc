-- The users that the node runs jobs as which name one, as a JSON list. NULL: it is of an earlier
-- release, which does not say, so that it may take jobs of any user.
ALTER TABLE session
  ADD COLUMN users MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NULL
