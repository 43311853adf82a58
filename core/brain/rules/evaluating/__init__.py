"""What fills in the parameters of the abilities, a file for each family of them."""
