CREATE INDEX CONCURRENTLY IF NOT EXISTS "ticket_waits" ON "ticket" USING btree (coalesce(answer_since, created_at),"id") WHERE status = 'pending' and not is_group;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ticket_queue_waits" ON "ticket" USING btree ("queue_id",coalesce(answer_since, created_at),"id") WHERE status = 'pending' and not is_group and queue_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ticket_no_queue_waits" ON "ticket" USING btree (coalesce(answer_since, created_at),"id") WHERE status = 'pending' and not is_group and queue_id is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ticket_wait";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ticket_queue_wait";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ticket_no_queue_wait";
