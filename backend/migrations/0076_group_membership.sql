ALTER TABLE "contact_channel" ADD COLUMN "is_out" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_channel" ADD COLUMN "membership_at" timestamp(3) with time zone;