CREATE INDEX "log_kind" ON "log_entry" USING btree ("origem","created_at","id");--> statement-breakpoint
CREATE INDEX "log_action" ON "log_entry" USING btree ("action","created_at","id");--> statement-breakpoint
CREATE INDEX "log_user_kind" ON "log_entry" USING btree ("user_id","origem","created_at","id");