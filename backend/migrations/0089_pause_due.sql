CREATE INDEX CONCURRENTLY IF NOT EXISTS "ticket_pause_due" ON "ticket" USING btree ("pause_until") WHERE status = 'paused' and pause_until is not null;
