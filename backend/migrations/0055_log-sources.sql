ALTER TABLE "job" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "log_entry" ADD COLUMN "source" text;--> statement-breakpoint
CREATE INDEX "log_source" ON "log_entry" USING btree ("source","created_at","id") WHERE source is not null;