DROP INDEX "ticket_page";--> statement-breakpoint
DROP INDEX "ticket_user_page";--> statement-breakpoint
DROP INDEX "ticket_queue_page";--> statement-breakpoint
CREATE INDEX "ticket_unassigned_page" ON "ticket" USING btree ("queue_id","status","is_group","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE user_id is null;--> statement-breakpoint
CREATE INDEX "ticket_closed" ON "ticket" USING btree ("closed_at","queue_id","user_id") WHERE status = 'closed';--> statement-breakpoint
CREATE INDEX "ticket_page" ON "ticket" USING btree ("status","is_group","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ticket_user_page" ON "ticket" USING btree ("user_id","status","is_group","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ticket_queue_page" ON "ticket" USING btree ("queue_id","status","is_group","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);