CREATE TABLE "contact_merge" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_merge_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"into_id" integer NOT NULL,
	"from_id" integer NOT NULL,
	"user_id" integer,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"before" jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "contact_by_name";--> statement-breakpoint
ALTER TABLE "contact" ADD COLUMN "search_text" text GENERATED ALWAYS AS (left(f_norm(name), 255) || E'\n' || left(f_norm(email), 254)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_merge" ADD CONSTRAINT "contact_merge_into_id_contact_id_fk" FOREIGN KEY ("into_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merge" ADD CONSTRAINT "contact_merge_from_id_contact_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merge" ADD CONSTRAINT "contact_merge_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_merge_into" ON "contact_merge" USING btree ("into_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_merge_from" ON "contact_merge" USING btree ("from_id");--> statement-breakpoint
CREATE INDEX "contact_merged" ON "contact" USING btree ("merged_into") WHERE merged_into is not null;--> statement-breakpoint
-- All that a search looks at stands in the index of the list: it walks there and reads nothing else.
CREATE INDEX "contact_by_name" ON "contact" USING btree (search_name collate "C","id") INCLUDE ("search_text","is_group") WHERE merged_into is null;--> statement-breakpoint
DROP INDEX contact_email_search;--> statement-breakpoint
-- Without the first letter: what begins a name is a range of the list, and of a common first name there are very many.
CREATE INDEX contact_inside_search ON contact USING gin (substr(search_text, 2) public.gin_trgm_ops);--> statement-breakpoint
DROP INDEX "identity_contact";--> statement-breakpoint
CREATE INDEX "identity_contact" ON "contact_identity" USING btree ("contact_id") INCLUDE ("kind","value");