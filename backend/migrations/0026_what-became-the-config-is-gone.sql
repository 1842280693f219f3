ALTER TABLE "whatsapp" DROP COLUMN "meta_integration";--> statement-breakpoint
ALTER TABLE "whatsapp" DROP COLUMN "phone_number_id";--> statement-breakpoint
ALTER TABLE "whatsapp" DROP COLUMN "waba_id";--> statement-breakpoint
ALTER TABLE "whatsapp" DROP COLUMN "token_sealed";