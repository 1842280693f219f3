-- Without a calendar everything is counted anew at the next start.
DELETE FROM "figure_day";--> statement-breakpoint
DELETE FROM "figure_calendar";--> statement-breakpoint
ALTER TABLE "figure_day" DROP CONSTRAINT "figure_day_once";--> statement-breakpoint
ALTER TABLE "figure_day" ALTER COLUMN "whatsapp_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ADD COLUMN "all_queues" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ADD COLUMN "all_users" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ADD CONSTRAINT "figure_day_once" UNIQUE NULLS NOT DISTINCT("all_queues","all_users","day","queue_id","user_id","whatsapp_id");