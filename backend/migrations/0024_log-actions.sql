ALTER TABLE "log_entry" RENAME COLUMN "details" TO "params";--> statement-breakpoint
DROP INDEX "log_ticket";--> statement-breakpoint
DROP INDEX "log_created";--> statement-breakpoint
ALTER TABLE "log_entry" ALTER COLUMN "descricao" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "log_entry" ADD COLUMN "action" text;--> statement-breakpoint
ALTER TABLE "log_entry" ADD COLUMN "entity_id" integer;--> statement-breakpoint
CREATE INDEX "log_user" ON "log_entry" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_contact" ON "log_entry" USING btree ("contact_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_queue" ON "log_entry" USING btree ("queue_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_connection" ON "log_entry" USING btree ("whatsapp_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_entity" ON "log_entry" USING btree ("origem","entity_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_ticket" ON "log_entry" USING btree ("ticket_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_created" ON "log_entry" USING btree ("created_at","id");