CREATE TABLE "job_error" (
	"job_id" integer NOT NULL,
	"row" integer NOT NULL,
	"cells" jsonb NOT NULL,
	"faults" text DEFAULT '' NOT NULL,
	CONSTRAINT "job_error_job_id_row_pk" PRIMARY KEY("job_id","row")
);
--> statement-breakpoint
CREATE TABLE "phone_book" (
	"whatsapp_id" integer NOT NULL,
	"number" text NOT NULL,
	"name" text NOT NULL,
	"told_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "phone_book_whatsapp_id_number_pk" PRIMARY KEY("whatsapp_id","number")
);
--> statement-breakpoint
ALTER TABLE "job_error" ADD CONSTRAINT "job_error_job_id_job_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."job"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_book" ADD CONSTRAINT "phone_book_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;