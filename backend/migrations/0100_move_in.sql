CREATE TABLE "move_in_link" (
	"origin" text NOT NULL,
	"kind" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"own_id" bigint NOT NULL,
	"is_new" boolean NOT NULL,
	"move_in_id" integer NOT NULL,
	CONSTRAINT "move_in_link_origin_kind_key_pk" PRIMARY KEY("origin","kind","key")
);
--> statement-breakpoint
CREATE TABLE "move_in_row" (
	"move_in_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"record" jsonb NOT NULL,
	"fault" text,
	CONSTRAINT "move_in_row_move_in_id_kind_key_pk" PRIMARY KEY("move_in_id","kind","key")
);
--> statement-breakpoint
CREATE TABLE "move_in" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "move_in_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"origin" text,
	"company" text,
	"address" text,
	"dump" text,
	"open_tag" text NOT NULL,
	"state" text NOT NULL,
	"preview" jsonb,
	"mark" jsonb,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"error" text,
	"user_id" integer NOT NULL,
	"job_id" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "move_in_link" ADD CONSTRAINT "move_in_link_move_in_id_move_in_id_fk" FOREIGN KEY ("move_in_id") REFERENCES "public"."move_in"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "move_in_row" ADD CONSTRAINT "move_in_row_move_in_id_move_in_id_fk" FOREIGN KEY ("move_in_id") REFERENCES "public"."move_in"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "move_in" ADD CONSTRAINT "move_in_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "move_in_link_made" ON "move_in_link" USING btree ("move_in_id","kind","own_id");