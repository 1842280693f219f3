CREATE TABLE "backup" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"place" text NOT NULL,
	"daily" boolean NOT NULL,
	"encrypted" boolean NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"bytes" bigint,
	"rows" bigint,
	"files" integer,
	"error" text,
	"gone_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE INDEX "backup_good" ON "backup" USING btree ("at" DESC NULLS LAST) WHERE state = 'done';