DROP INDEX "message_media_pending";--> statement-breakpoint
CREATE INDEX "message_media_pending" ON "message" USING btree ("whatsapp_id","id") WHERE media->>'state' = 'pending';