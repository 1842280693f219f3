CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "message_provider_id" ON "message" USING btree ("whatsapp_id","provider_id","contact_id") WHERE provider_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "message_provider";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "message_provider_lookup";
