ALTER TABLE "whatsapp" ADD COLUMN "config" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
UPDATE "whatsapp" SET "config" = jsonb_strip_nulls(jsonb_build_object(
  'phoneNumberId', nullif("phone_number_id", ''), 'wabaId', nullif("waba_id", ''), 'tokenMeta', "token_sealed",
  'metaIntegration', nullif("meta_integration", false)));
