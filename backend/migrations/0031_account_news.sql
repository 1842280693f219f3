ALTER TABLE "whatsapp" ADD COLUMN "news" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp" ADD COLUMN "news_seen_at" timestamp(3) with time zone;