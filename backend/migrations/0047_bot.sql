CREATE TABLE "question" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "question_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pergunta" text NOT NULL,
	"resposta" text NOT NULL,
	"queue_id" integer,
	"open_ticket" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "bot_misses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "bot_turns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "question_queue" ON "question" USING btree ("queue_id");