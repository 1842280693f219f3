-- Search without accents and case, by any part of a word of three letters or more (spec 1 §5).
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;--> statement-breakpoint
-- `unaccent` alone is not immutable because its dictionary may be changed; ours is named and never is.
CREATE OR REPLACE FUNCTION f_norm(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN lower(public.unaccent('public.unaccent'::regdictionary, t));--> statement-breakpoint
CREATE INDEX contact_name_search ON contact USING gin (f_norm(name) public.gin_trgm_ops);--> statement-breakpoint
CREATE INDEX identity_search ON contact_identity USING gin (value public.gin_trgm_ops);--> statement-breakpoint
CREATE INDEX message_body_search ON message USING gin (f_norm(body) public.gin_trgm_ops);
