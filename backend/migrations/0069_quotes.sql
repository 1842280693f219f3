ALTER TABLE "message" ADD COLUMN "quote" jsonb;--> statement-breakpoint
CREATE INDEX "message_quoting" ON "message" USING btree ("whatsapp_id",("quote"->>'id')) WHERE quote is not null;