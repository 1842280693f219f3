ALTER TABLE "ticket" ADD COLUMN "read_seq" integer DEFAULT 0 NOT NULL;
