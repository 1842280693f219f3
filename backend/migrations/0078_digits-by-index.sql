-- The names of a contact are found by their index, however few there were when a session first asked: a plan made for a small table read
-- all of them for every new contact until the session ended.
ALTER FUNCTION contact_digits_change() SET enable_seqscan TO off;--> statement-breakpoint
ALTER FUNCTION contact_digits_change() SET enable_hashjoin TO off;--> statement-breakpoint
ALTER FUNCTION contact_digits_change() SET enable_mergejoin TO off;
