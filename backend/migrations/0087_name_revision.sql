CREATE TABLE "name_revision" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"changed_by" bigint NOT NULL
);
--> statement-breakpoint
INSERT INTO name_revision (changed_by) VALUES (0);--> statement-breakpoint
-- Deferred, so that the one row is held only while its transaction commits: nobody waits for a lock behind it.
CREATE FUNCTION name_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own bigint := pg_current_xact_id()::text::bigint;
BEGIN
  UPDATE name_revision SET changed_by = own WHERE changed_by <> own;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER queue_name AFTER INSERT OR DELETE ON queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER queue_renamed AFTER UPDATE ON queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.id, OLD.name, OLD.color) IS DISTINCT FROM (NEW.id, NEW.name, NEW.color)) EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER past_queue_name AFTER INSERT OR UPDATE OR DELETE ON past_queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER user_name AFTER INSERT OR DELETE ON "user" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER user_renamed AFTER UPDATE ON "user" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.id, OLD.name, OLD.profile_pic_url) IS DISTINCT FROM (NEW.id, NEW.name, NEW.profile_pic_url)) EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER whatsapp_name AFTER INSERT OR DELETE ON whatsapp DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER whatsapp_renamed AFTER UPDATE ON whatsapp DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.id, OLD.name, OLD.api, OLD.status) IS DISTINCT FROM (NEW.id, NEW.name, NEW.api, NEW.status)) EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER tag_name AFTER INSERT OR DELETE ON tag DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER tag_renamed AFTER UPDATE ON tag DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.id, OLD.name, OLD.color) IS DISTINCT FROM (NEW.id, NEW.name, NEW.color)) EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE TRIGGER queue_emptied AFTER TRUNCATE ON queue FOR EACH STATEMENT EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE TRIGGER user_emptied AFTER TRUNCATE ON "user" FOR EACH STATEMENT EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE TRIGGER whatsapp_emptied AFTER TRUNCATE ON whatsapp FOR EACH STATEMENT EXECUTE FUNCTION name_change();--> statement-breakpoint
CREATE TRIGGER tag_emptied AFTER TRUNCATE ON tag FOR EACH STATEMENT EXECUTE FUNCTION name_change();
