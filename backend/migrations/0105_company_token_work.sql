ALTER TABLE "job" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "token_id" integer;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "program" jsonb;--> statement-breakpoint
ALTER TABLE "job" ADD CONSTRAINT "job_token_id_api_token_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_token"("id") ON DELETE cascade ON UPDATE no action;