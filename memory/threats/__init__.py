"""The threat rules of Hermes' memory scanner, written anew from what they are known to react to."""
