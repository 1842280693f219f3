DROP INDEX "message_at";--> statement-breakpoint
CREATE INDEX "message_kind" ON "message" USING btree ("media_type","at","id") WHERE media_type <> 'chat';--> statement-breakpoint
CREATE INDEX "message_with_link" ON "message" USING btree ("at","id") WHERE body ~ 'https?://';--> statement-breakpoint
CREATE INDEX "message_user" ON "message" USING btree ("user_id","at","id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "message_at" ON "message" USING btree ("at","id");