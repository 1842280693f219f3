-- A message is written anew three or four times in its first minutes (sent, delivered, read). With room on its page that writes no index.
ALTER TABLE "message" SET (fillfactor = 90);
