CREATE TABLE "chat_member" (
	"chat_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"unread" integer DEFAULT 0 NOT NULL,
	"read_seq" integer DEFAULT 0 NOT NULL,
	"last_message_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_member_chat_id_user_id_pk" PRIMARY KEY("chat_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "chat_message" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chat_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chat_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"sender_id" integer NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"media_type" text DEFAULT 'chat' NOT NULL,
	"media_id" text,
	"media" jsonb,
	"quoted_id" bigint,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"is_edited" boolean DEFAULT false NOT NULL,
	"edited_msg" text,
	"client_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chat_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"is_group" boolean DEFAULT false NOT NULL,
	"group_name" text DEFAULT '' NOT NULL,
	"user_id" integer NOT NULL,
	"calling_user_id" integer,
	"message_seq" integer DEFAULT 0 NOT NULL,
	"last_message" text DEFAULT '' NOT NULL,
	"last_message_id" bigint,
	"last_message_type" text DEFAULT 'chat' NOT NULL,
	"last_message_user_id" integer,
	"last_message_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "chat_id" integer;--> statement-breakpoint
ALTER TABLE "chat_member" ADD CONSTRAINT "chat_member_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_member" ADD CONSTRAINT "chat_member_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_sender_id_user_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat" ADD CONSTRAINT "chat_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat" ADD CONSTRAINT "chat_calling_user_id_user_id_fk" FOREIGN KEY ("calling_user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_member_page" ON "chat_member" USING btree ("user_id","last_message_at" DESC NULLS LAST,"chat_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "chat_member_unread" ON "chat_member" USING btree ("user_id") WHERE unread > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "chat_message_seq" ON "chat_message" USING btree ("chat_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_message_client" ON "chat_message" USING btree ("chat_id","sender_id","client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE INDEX "chat_message_media" ON "chat_message" USING btree ("media_id") WHERE media_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "chat_pair" ON "chat" USING btree (least("user_id", "calling_user_id"),greatest("user_id", "calling_user_id")) WHERE not is_group;--> statement-breakpoint
CREATE INDEX "chat_page" ON "chat" USING btree ("last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);