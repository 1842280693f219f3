CREATE TABLE "whatsapp_auth" (
	"whatsapp_id" integer NOT NULL,
	"type" text NOT NULL,
	"key_id" text NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "whatsapp_auth_whatsapp_id_type_key_id_pk" PRIMARY KEY("whatsapp_id","type","key_id")
);
--> statement-breakpoint
CREATE TABLE "whatsapp" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "whatsapp_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"api" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"nps" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'DISCONNECTED' NOT NULL,
	"wanted" boolean DEFAULT true NOT NULL,
	"epoch" bigint DEFAULT 0 NOT NULL,
	"battery" integer,
	"number" text,
	"qrcode" text,
	"qr_expires_at" timestamp(3) with time zone,
	"pair_code" text,
	"retries" integer DEFAULT 0 NOT NULL,
	"trouble" jsonb,
	"greeting_message" text DEFAULT '' NOT NULL,
	"greeting_bot_message" text DEFAULT '' NOT NULL,
	"greeting_message_redirect" text DEFAULT '' NOT NULL,
	"farewell_message" text DEFAULT '' NOT NULL,
	"nps_message" text DEFAULT '' NOT NULL,
	"nps_tks_message" text DEFAULT '' NOT NULL,
	"meta_integration" boolean DEFAULT false NOT NULL,
	"phone_number_id" text DEFAULT '' NOT NULL,
	"waba_id" text DEFAULT '' NOT NULL,
	"token_sealed" text,
	"public_dns_typebot" text DEFAULT '' NOT NULL,
	"public_id_typebot" text DEFAULT '' NOT NULL,
	"last_message_at" timestamp(3) with time zone,
	"deleted_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_channel" (
	"contact_id" integer NOT NULL,
	"whatsapp_id" integer NOT NULL,
	"jid" text NOT NULL,
	"last_inbound_at" timestamp(3) with time zone,
	"greeted_at" timestamp(3) with time zone,
	CONSTRAINT "contact_channel_contact_id_whatsapp_id_pk" PRIMARY KEY("contact_id","whatsapp_id")
);
--> statement-breakpoint
CREATE TABLE "contact_identity" (
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"contact_id" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_identity_kind_value_pk" PRIMARY KEY("kind","value")
);
--> statement-breakpoint
CREATE TABLE "contact" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text DEFAULT '' NOT NULL,
	"name_source" text DEFAULT 'none' NOT NULL,
	"number" text,
	"email" text DEFAULT '' NOT NULL,
	"profile_pic_url" text,
	"is_group" boolean DEFAULT false NOT NULL,
	"resposta_automatica" boolean DEFAULT true NOT NULL,
	"extra_info" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"merged_into" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "raw_event" (
	"whatsapp_id" integer NOT NULL,
	"key" text NOT NULL,
	"payload" text NOT NULL,
	"error" text,
	"received_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "raw_event_whatsapp_id_key_pk" PRIMARY KEY("whatsapp_id","key")
);
--> statement-breakpoint
CREATE TABLE "live_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "live_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"audience" jsonb NOT NULL,
	"payload" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "log_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"descricao" text NOT NULL,
	"origem" text NOT NULL,
	"user_id" integer,
	"ticket_id" integer,
	"contact_id" integer,
	"queue_id" integer,
	"whatsapp_id" integer,
	"message_id" integer,
	"details" jsonb,
	"reported" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"mime" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"owner" text NOT NULL,
	"user_id" integer,
	"ticket_id" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"whatsapp_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"provider_id" text,
	"chat" text,
	"from_me" boolean NOT NULL,
	"author_id" integer,
	"author_jid" text,
	"author_name" text DEFAULT '' NOT NULL,
	"user_id" integer,
	"body" text DEFAULT '' NOT NULL,
	"media_type" text DEFAULT 'chat' NOT NULL,
	"media_id" text,
	"media" jsonb,
	"state" text NOT NULL,
	"read" boolean DEFAULT false NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"is_edited" boolean DEFAULT false NOT NULL,
	"edited_msg" text,
	"quoted_id" bigint,
	"forward" text,
	"reactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error_log" jsonb,
	"template_data" jsonb,
	"system" jsonb,
	"transcription" text,
	"client_id" text,
	"raw" jsonb,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"whatsapp_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"message_id" bigint,
	"operation" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"epoch" bigint,
	"error" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "whatsapp_queue" (
	"whatsapp_id" integer NOT NULL,
	"queue_id" integer NOT NULL,
	CONSTRAINT "whatsapp_queue_whatsapp_id_queue_id_pk" PRIMARY KEY("whatsapp_id","queue_id")
);
--> statement-breakpoint
CREATE TABLE "queue" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"color" text NOT NULL,
	"custom_order" integer DEFAULT 999 NOT NULL,
	"greeting_message" text DEFAULT '' NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "queue_color_unique" UNIQUE("color")
);
--> statement-breakpoint
CREATE TABLE "user_queue" (
	"user_id" integer NOT NULL,
	"queue_id" integer NOT NULL,
	CONSTRAINT "user_queue_user_id_queue_id_pk" PRIMARY KEY("user_id","queue_id")
);
--> statement-breakpoint
CREATE TABLE "quick_answer" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quick_answer_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"shortcut" text NOT NULL,
	"message" text NOT NULL,
	"media_id" text,
	"media_type" text,
	"media_name" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "quick_answer_shortcut_unique" UNIQUE("shortcut")
);
--> statement-breakpoint
CREATE TABLE "refresh_token" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refresh_token_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"family" text NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refresh_token_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_failure" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "socket_token" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"family" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_tag" (
	"contact_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "contact_tag_contact_id_tag_id_pk" PRIMARY KEY("contact_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tag_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"color" text DEFAULT '#7a7a7a' NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_tally" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_tally_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"is_group" boolean NOT NULL,
	"unread" boolean NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"contact_id" integer NOT NULL,
	"whatsapp_id" integer NOT NULL,
	"queue_id" integer,
	"queue_name" text,
	"queue_color" text,
	"user_id" integer,
	"is_group" boolean DEFAULT false NOT NULL,
	"unread_messages" integer DEFAULT 0 NOT NULL,
	"last_message" text DEFAULT '' NOT NULL,
	"last_message_id" bigint,
	"last_message_type" text DEFAULT 'chat' NOT NULL,
	"last_message_from_me" boolean DEFAULT false NOT NULL,
	"last_message_state" text,
	"last_message_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"pause_tag" text,
	"message_seq" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"accepted_at" timestamp(3) with time zone,
	"closed_at" timestamp(3) with time zone,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email_sealed" text NOT NULL,
	"email_hash" text NOT NULL,
	"password_hash" text NOT NULL,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"profile" text DEFAULT 'user' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"status" text DEFAULT 'offline' NOT NULL,
	"start_time" text DEFAULT '00:00' NOT NULL,
	"end_time" text DEFAULT '23:59' NOT NULL,
	"weekdays" boolean DEFAULT true NOT NULL,
	"saturday" boolean DEFAULT true NOT NULL,
	"sunday" boolean DEFAULT true NOT NULL,
	"holidays" boolean DEFAULT true NOT NULL,
	"add_contact" boolean DEFAULT true NOT NULL,
	"edit_contact" boolean DEFAULT true NOT NULL,
	"del_contact" boolean DEFAULT false NOT NULL,
	"whatsapp_id" integer,
	"profile_pic_url" text,
	"last_seen_at" timestamp(3) with time zone,
	"deleted_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "user_emailHash_unique" UNIQUE("email_hash")
);
--> statement-breakpoint
ALTER TABLE "whatsapp_auth" ADD CONSTRAINT "whatsapp_auth_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_channel" ADD CONSTRAINT "contact_channel_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_channel" ADD CONSTRAINT "contact_channel_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_identity" ADD CONSTRAINT "contact_identity_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raw_event" ADD CONSTRAINT "raw_event_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_queue" ADD CONSTRAINT "whatsapp_queue_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_queue" ADD CONSTRAINT "whatsapp_queue_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_queue" ADD CONSTRAINT "user_queue_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_queue" ADD CONSTRAINT "user_queue_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tag" ADD CONSTRAINT "contact_tag_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tag" ADD CONSTRAINT "contact_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapp_name_live" ON "whatsapp" USING btree ("name") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapp_one_default" ON "whatsapp" USING btree ("is_default") WHERE is_default and deleted_at is null;--> statement-breakpoint
CREATE INDEX "identity_contact" ON "contact_identity" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "contact_name_page" ON "contact" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "contact_number" ON "contact" USING btree ("number");--> statement-breakpoint
CREATE INDEX "raw_event_age" ON "raw_event" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "live_event_cursor" ON "live_event" USING btree ("xid","id");--> statement-breakpoint
CREATE INDEX "live_event_age" ON "live_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "log_ticket" ON "log_entry" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "log_created" ON "log_entry" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "media_owner" ON "media" USING btree ("owner","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "message_provider" ON "message" USING btree ("whatsapp_id","contact_id","provider_id") WHERE provider_id is not null;--> statement-breakpoint
CREATE INDEX "message_provider_lookup" ON "message" USING btree ("whatsapp_id","provider_id") WHERE provider_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "message_client" ON "message" USING btree ("ticket_id","client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "message_seq" ON "message" USING btree ("ticket_id","seq");--> statement-breakpoint
CREATE INDEX "message_page" ON "message" USING btree ("contact_id","at" DESC NULLS LAST,"ticket_id" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "message_ticket_page" ON "message" USING btree ("ticket_id","at" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "message_unread" ON "message" USING btree ("ticket_id") WHERE not read and not from_me;--> statement-breakpoint
CREATE INDEX "outbox_lane" ON "outbox" USING btree ("whatsapp_id","contact_id","id") WHERE state in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("whatsapp_id","next_at","id") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "outbox_message" ON "outbox" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "whatsapp_queue_queue_id_index" ON "whatsapp_queue" USING btree ("queue_id");--> statement-breakpoint
CREATE INDEX "user_queue_queue_id_index" ON "user_queue" USING btree ("queue_id");--> statement-breakpoint
CREATE INDEX "refresh_token_family_index" ON "refresh_token" USING btree ("family");--> statement-breakpoint
CREATE INDEX "refresh_token_user_id_index" ON "refresh_token" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "contact_tag_tag" ON "contact_tag" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "ticket_tally_status" ON "ticket_tally" USING btree ("status");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_live" ON "ticket" USING btree ("contact_id","whatsapp_id") WHERE status in ('pending', 'open', 'paused', 'bot', 'nps');--> statement-breakpoint
CREATE INDEX "ticket_page" ON "ticket" USING btree ("status","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ticket_user_page" ON "ticket" USING btree ("user_id","status","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ticket_queue_page" ON "ticket" USING btree ("queue_id","status","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ticket_contact" ON "ticket" USING btree ("contact_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ticket_whatsapp_live" ON "ticket" USING btree ("whatsapp_id") WHERE status <> 'closed';