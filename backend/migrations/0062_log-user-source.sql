DROP INDEX "log_user";--> statement-breakpoint
CREATE INDEX "log_user" ON "log_entry" USING btree ("user_id","created_at","id","source");