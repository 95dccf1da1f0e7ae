"""Stories: an explorer led through steps, with a sentence or two and now and then a question."""
