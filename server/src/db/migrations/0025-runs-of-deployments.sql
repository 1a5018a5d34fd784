-- How a deployment was built and first released: {"stages": […], "completed_at": …}. Null until it is released again.
alter table deployments add column first_run jsonb;
-- Of the archive that it was made of. The archive itself may be collected.
alter table deployments add column upload_name text;
update deployments set upload_name = uploads.file_name from uploads where uploads.id = deployments.upload_id;
