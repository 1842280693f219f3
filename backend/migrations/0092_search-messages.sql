CREATE INDEX CONCURRENTLY IF NOT EXISTS "message_newest" ON "message" USING btree ("at","id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "message_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "message_kind" ON "message" USING btree ("media_type","at","id") WHERE media_type <> 'chat';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "message_with_link" ON "message" USING btree ("at","id") WHERE body ~ 'https?://';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "message_user" ON "message" USING btree ("user_id","at","id") WHERE user_id is not null;
