ALTER TABLE "message" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "secret" text;