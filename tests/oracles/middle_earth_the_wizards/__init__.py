"""A second opinion on attacks, strikes and checks of Middle-earth: The Wizards."""
