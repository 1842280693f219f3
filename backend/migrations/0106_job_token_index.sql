CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_token" ON "job" USING btree ("token_id","id") WHERE token_id is not null;
