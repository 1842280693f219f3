ALTER TABLE "send_clock" ADD COLUMN "day_from" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "send_clock" ADD COLUMN "day_sent" integer DEFAULT 0 NOT NULL;