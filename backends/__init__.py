"""From traced programs to something that runs: the stage table and the back ends."""
