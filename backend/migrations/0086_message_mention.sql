CREATE TABLE "message_mention" (
	"message_id" bigint NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"seen_at" timestamp(3) with time zone,
	CONSTRAINT "message_mention_message_id_user_id_pk" PRIMARY KEY("message_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "message_mention" ADD CONSTRAINT "message_mention_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_mention" ADD CONSTRAINT "message_mention_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_mention_unseen" ON "message_mention" USING btree ("user_id","message_id" DESC NULLS LAST) WHERE seen_at is null;