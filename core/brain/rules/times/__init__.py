"""From time words to the `when` of an evaluated tendency."""
