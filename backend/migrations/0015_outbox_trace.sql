ALTER TABLE "outbox" ADD COLUMN "trace" uuid;--> statement-breakpoint
CREATE INDEX "outbox_doubt" ON "outbox" USING btree ("whatsapp_id","next_at") WHERE state = 'unknown';--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_trace" ON "outbox" USING btree ("trace") WHERE trace is not null;