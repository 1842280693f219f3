CREATE TABLE "message_edit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_edit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" bigint NOT NULL,
	"body" text NOT NULL,
	"user_id" integer,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "transcription_state" text;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "sent_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "delivered_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "read_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "message_edit" ADD CONSTRAINT "message_edit_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_edit" ADD CONSTRAINT "message_edit_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_edit_message" ON "message_edit" USING btree ("message_id","id");--> statement-breakpoint
CREATE INDEX "message_media" ON "message" USING btree ("media_id") WHERE media_id is not null;