"""Stories: explorers led through steps with short texts and questions."""
